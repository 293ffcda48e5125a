// ids are echoed digit for digit
>> {"jsonrpc":"2.0","id":18446744073709551616,"method":"getTokenSupply","params":["2fPDXLJCi8k1dN47Lpw3YCijPWX5pGcBpiF3ZgkvJWbz"]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"amount":"1","decimals":0,"uiAmount":1.0,"uiAmountString":"1"}},"id":18446744073709551616}

// a batch answers in its order
>> [{"jsonrpc":"2.0","id":"a","method":"getTokenSupply","params":["2fPDXLJCi8k1dN47Lpw3YCijPWX5pGcBpiF3ZgkvJWbz"]},{"jsonrpc":"2.0","id":"b","method":"getTokenSupply","params":["HzLZUECeHqADY7enQnGAjXxJWgUZ4CGFAqQLZo2hXftj"]}]
<< [{"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"amount":"1","decimals":0,"uiAmount":1.0,"uiAmountString":"1"}},"id":"a"},{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param: could not find account"},"id":"b"}]

// a notification is not answered
>> {"jsonrpc":"2.0","method":"getTokenSupply","params":["2fPDXLJCi8k1dN47Lpw3YCijPWX5pGcBpiF3ZgkvJWbz"]}
<<

// text that is no JSON
>> {"jsonrpc":
<< {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}

// an empty batch
>> []
<< {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request","data":{"reason":"a batch has at least one request"}},"id":null}

// a method that does not exist names the nearest
>> {"jsonrpc":"2.0","id":1,"method":"getAccountinfo","params":[]}
<< {"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found","data":{"method":"getAccountinfo","nearest":"getAccountInfo"}},"id":1}

// a version that is not 2.0
>> {"jsonrpc":"1.0","id":1,"method":"getAsset","params":[]}
<< {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request","data":{"reason":"jsonrpc must be \"2.0\""}},"id":1}
