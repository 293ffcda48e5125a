// a supply with six decimals
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6"]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"amount":"27485393156028","decimals":6,"uiAmount":27485393.156028,"uiAmountString":"27485393.156028"}},"id":1}

// interest makes uiAmountString grow with the clock; the amount is untouched
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["KTpi4PYKdpAkYdzXAJADGEEhntutJvFWr4PPTSx2C27",{"commitment":"confirmed"}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"amount":"731591474778447033","decimals":9,"uiAmount":758124230.6946199,"uiAmountString":"758124230.694619894"}},"id":1}

// an empty config is accepted
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["FGP7NCvhLZQ9c27XWREQxiW4ErpCh8K8rDTFG5A516GJ",{}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"amount":"830451779500778702","decimals":9,"uiAmount":830451779.5007788,"uiAmountString":"830451779.500778702"}},"id":1}

// the mint of wrapped lamports has no supply
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["So11111111111111111111111111111111111111112"]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"amount":"0","decimals":9,"uiAmount":0.0,"uiAmountString":"0"}},"id":1}

// an NFT has a supply of one
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["2fPDXLJCi8k1dN47Lpw3YCijPWX5pGcBpiF3ZgkvJWbz"]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"amount":"1","decimals":0,"uiAmount":1.0,"uiAmountString":"1"}},"id":1}

// an account that is no mint
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["G5Pnm8G8d7jYEgSVQxJmKi2LvCRVTJHRcHgaY5ub7Bzo"]}
<< {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param: mint could not be unpacked"},"id":1}

// a mint that does not exist
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["HzLZUECeHqADY7enQnGAjXxJWgUZ4CGFAqQLZo2hXftj"]}
<< {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param: could not find account"},"id":1}

// an unknown commitment
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6",{"commitment":"max"}]}
<< {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: position 2 config.commitment must be one of finalized, confirmed, processed but got the string \"max\"","data":{"parameter":"config.commitment","position":2}},"id":1}
