// a token account is parsed, its delegate and both amounts with it
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["G5Pnm8G8d7jYEgSVQxJmKi2LvCRVTJHRcHgaY5ub7Bzo",{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":{"parsed":{"info":{"delegate":"Hp5LhDaVHEao2bHHSKrGdQRcJWQqaJbA241ANgvTvFr6","delegatedAmount":{"amount":"27169333000028","decimals":6,"uiAmount":27169333.000028,"uiAmountString":"27169333.000028"},"isNative":false,"mint":"DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6","owner":"J28E98Qhe1cZ35Te28E8NMAeBgtFd28jY1w6StBvdjZU","state":"initialized","tokenAmount":{"amount":"27169333000028","decimals":6,"uiAmount":27169333.000028,"uiAmountString":"27169333.000028"}},"type":"account"},"program":"spl-token","space":165},"executable":false,"lamports":2039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}},"id":1}

// without an encoding the data is base64
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6"]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":["AQAAABarjYuitNFI/7M0v4YJZbyAarqJzmKG1ReeCnEIkbLCvHcYcf8YAAAGAQEAAAAWq42LorTRSP+zNL+GCWW8gGq6ic5ihtUXngpxCJGywg==","base64"],"executable":false,"lamports":1461600,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":82}},"id":1}

// the same for a Solana client: bare base58, which Agave answers
:: Solana-Client: js/8.4.0
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6"]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":"DK9MyzmGbJhnMeq4iWMU9UoKtp6nGG84ugAuHsGCKae4zXVNZQJYf12Lbhe58FANc8ssDdugSbkDkGuwqVzc3Rh4B1TcBgPU7Kizqb2KwvgWWvM","executable":false,"lamports":1461600,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":82}},"id":1}

// a client whose account is over 128 bytes is told to ask for base64
:: Solana-Client: js/8.4.0
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["G5Pnm8G8d7jYEgSVQxJmKi2LvCRVTJHRcHgaY5ub7Bzo"]}
<< {"jsonrpc":"2.0","error":{"code":-32600,"message":"Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."},"id":1}

// dataSlice cuts the bytes before they are encoded
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["G5Pnm8G8d7jYEgSVQxJmKi2LvCRVTJHRcHgaY5ub7Bzo",{"encoding":"base58","dataSlice":{"offset":64,"length":8}}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":["GRckQWVvhNw","base58"],"executable":false,"lamports":2039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}},"id":1}

// base64+zstd is the frame of the sliced bytes
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["SysvarC1ock11111111111111111111111111111111",{"encoding":"base64+zstd"}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":["KLUv/QBYJQEA4ASj4REAAAAALG+VZQAAAAC2AgC3LZuWZQAAAAACACsptiAM","base64+zstd"],"executable":false,"lamports":1169280,"owner":"Sysvar1111111111111111111111111111111111111","rentEpoch":18446744073709551615,"space":40}},"id":1}

// a mint of Token-2022 shows its extensions
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["8JMfPxYtvyoMYRQgndijrAr7EmcPAJz2ewhYugRemEpR",{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":{"parsed":{"info":{"decimals":6,"extensions":[{"extension":"transferFeeConfig","state":{"newerTransferFee":{"epoch":694,"maximumFee":9000000,"transferFeeBasisPoints":100},"olderTransferFee":{"epoch":692,"maximumFee":5000000,"transferFeeBasisPoints":50},"transferFeeConfigAuthority":null,"withdrawWithheldAuthority":null,"withheldAmount":12345}}],"freezeAuthority":null,"isInitialized":true,"mintAuthority":null,"supply":"8345794628109"},"type":"mint"},"program":"spl-token-2022","space":278},"executable":false,"lamports":2825760,"owner":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb","rentEpoch":18446744073709551615,"space":278}},"id":1}

// a stake account shows its lockup
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["4TJ8fJ9etenH3BsAAv7buHieNusAcUEUE388c7EhwArV",{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":{"parsed":{"info":{"meta":{"authorized":{"staker":"J28E98Qhe1cZ35Te28E8NMAeBgtFd28jY1w6StBvdjZU","withdrawer":"J28E98Qhe1cZ35Te28E8NMAeBgtFd28jY1w6StBvdjZU"},"lockup":{"custodian":"2XVh7bXV9mZchqi9qGD8umpQ9ip4ZgE798oXYUumfViR","epoch":0,"unixTimestamp":1735904941},"rentExemptReserve":"2282880"},"stake":{"creditsObserved":104208945,"delegation":{"activationEpoch":"405","deactivationEpoch":"18446744073709551615","stake":"952207035","voter":"1CB4X2RoPM2cr9QsYtGe2zMRaAnmsKuuJ3gocqTASQB"}}},"type":"delegated"},"program":"stake","space":200},"executable":false,"lamports":954489915,"owner":"Stake11111111111111111111111111111111111111","rentEpoch":18446744073709551615,"space":200}},"id":1}

// a nonce account
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["FsvEdyELPFSnxrEETN7fyH5VqawcF2epttPfsbMamRrJ",{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":{"parsed":{"info":{"authority":"5Lg1VJvYnNgdyd7oJaJi3f5DXCnx3DJ2NwgLech8zVFx","blockhash":"2vcan4b385TFBQTh8FMMhdp6kWXC4Sa5uHyVjMxvkomg","feeCalculator":{"lamportsPerSignature":"5000"}},"type":"initialized"},"program":"nonce","space":80},"executable":false,"lamports":1447680,"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":80}},"id":1}

// the clock sysvar, in the slot that answers
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["SysvarC1ock11111111111111111111111111111111",{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":{"parsed":{"info":{"epoch":694,"epochStartTimestamp":1704292140,"leaderScheduleEpoch":695,"slot":300000004,"unixTimestamp":1704368941},"type":"clock"},"program":"sysvar","space":40},"executable":false,"lamports":1169280,"owner":"Sysvar1111111111111111111111111111111111111","rentEpoch":18446744073709551615,"space":40}},"id":1}

// a wallet has no data; lamports and rentEpoch keep every digit
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["J28E98Qhe1cZ35Te28E8NMAeBgtFd28jY1w6StBvdjZU",{"encoding":"base64"}]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":{"data":["","base64"],"executable":false,"lamports":1408502438,"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":0}},"id":1}

// an account that does not exist is null
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["HzLZUECeHqADY7enQnGAjXxJWgUZ4CGFAqQLZo2hXftj"]}
<< {"jsonrpc":"2.0","result":null,"id":1}

// for a Solana client the null is a value in its context
:: Solana-Client: js/8.4.0
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["HzLZUECeHqADY7enQnGAjXxJWgUZ4CGFAqQLZo2hXftj"]}
<< {"jsonrpc":"2.0","result":{"context":{"apiVersion":"0.1.0","slot":300000004},"value":null},"id":1}

// an address with a letter that base58 does not have
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["0FEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6"]}
<< {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param: Invalid","data":{"parameter":"address"}},"id":1}

// an address of the wrong length
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["abc"]}
<< {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param: WrongSize","data":{"parameter":"address"}},"id":1}

// an unknown encoding names the known ones
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6",{"encoding":"hex"}]}
<< {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: position 2 config.encoding must be one of binary, base58, base64, base64+zstd, jsonParsed but got the string \"hex\"","data":{"parameter":"config.encoding","position":2}},"id":1}

// a slot that is not reached yet says which one is
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6",{"minContextSlot":900000000}]}
<< {"jsonrpc":"2.0","error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":300000004}},"id":1}

// no parameter at all
>> {"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":[]}
<< {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: position 1 address is required","data":{"parameter":"address","position":1}},"id":1}
