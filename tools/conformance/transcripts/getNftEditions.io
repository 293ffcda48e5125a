// the first prints of a master; number 3 was burnt
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":["7HLJC2Gfush5oaaGQn46uZWJFioEjGpanNcfqUa5GpDF",1,4]}
<< {"jsonrpc":"2.0","result":{"total":23,"limit":4,"page":1,"cursor":"5","master_edition_address":"CK8XTg3C5MmMnEYTFL5RWr5vhvEm1cb1j47CUQUXM4Lb","supply":23,"max_supply":34,"editions":[{"mint":"CvfSyrvX38XqwueanfWX1uJCLd8C492wB72nAvRtjBxV","edition_address":"FuUjMCKJkUPw5dMFsM24dX23tj9E46uxfvQkaFFM8Eec","edition":1},{"mint":"HZ84GunY8bxXuvDRtL5JNrb2gUzJNBbzfiUsSzSTi7gP","edition_address":"44GozyGjb3LxfUui4hA1MZDR467i7c2AJYs8ctJvB5WE","edition":2},{"mint":"85JMKSnRQ6qpC98JtJjJKoCvXF5neigtqmZ5Y5AHsyzt","edition_address":"CaGBEs3SxUbPaYrQr3TeqNwBRRodiBJHRNRgH25iNYWT","edition":4},{"mint":"ESqS8a86WCE2ULZCpqvMHqwTdeBqX2UsGCyYS4gTXhdJ","edition_address":"zfpkmGqRVVxHXxaKtjPQzyocKtVpUPeu59Cca8xAVag","edition":5}]},"id":1}

// a later page
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":["7HLJC2Gfush5oaaGQn46uZWJFioEjGpanNcfqUa5GpDF",6,4]}
<< {"jsonrpc":"2.0","result":{"total":23,"limit":4,"page":6,"master_edition_address":"CK8XTg3C5MmMnEYTFL5RWr5vhvEm1cb1j47CUQUXM4Lb","supply":23,"max_supply":34,"editions":[{"mint":"4zMMN9oSCrYwe4SSf3G382PKQx2wYpNpfg7hX1LkVPqu","edition_address":"8xj2TA3kckXo1VgmMnbdFjzq3vQJu5n1MHmVKiCHcVjd","edition":22},{"mint":"CEYbnCcLibETZ5s6WN6SKuFn2jVqEFKpaYhGRrbrctnR","edition_address":"6LGVh47KeVMfS9PeWKZqp4QRgedcDDTHzdRVTyAi7sDa","edition":23},{"mint":"61BhetMfhrqW1NJn5A5yGrmwXAGDmxykx9wMpFR26LHj","edition_address":"FgmtcA3LNFMRMqiucQK8RHuAwDg25cLPC1uY5pThr6NS","edition":24}]},"id":1}

// what follows an edition, named by its number
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":["7HLJC2Gfush5oaaGQn46uZWJFioEjGpanNcfqUa5GpDF",null,2,null,null,"23"]}
<< {"jsonrpc":"2.0","result":{"total":23,"limit":2,"master_edition_address":"CK8XTg3C5MmMnEYTFL5RWr5vhvEm1cb1j47CUQUXM4Lb","supply":23,"max_supply":34,"editions":[{"mint":"61BhetMfhrqW1NJn5A5yGrmwXAGDmxykx9wMpFR26LHj","edition_address":"FgmtcA3LNFMRMqiucQK8RHuAwDg25cLPC1uY5pThr6NS","edition":24}]},"id":1}

// what comes directly before an edition, by name and still ascending
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":{"mint":"7HLJC2Gfush5oaaGQn46uZWJFioEjGpanNcfqUa5GpDF","limit":2,"before":"5"}}
<< {"jsonrpc":"2.0","result":{"total":23,"limit":2,"cursor":"4","master_edition_address":"CK8XTg3C5MmMnEYTFL5RWr5vhvEm1cb1j47CUQUXM4Lb","supply":23,"max_supply":34,"editions":[{"mint":"HZ84GunY8bxXuvDRtL5JNrb2gUzJNBbzfiUsSzSTi7gP","edition_address":"44GozyGjb3LxfUui4hA1MZDR467i7c2AJYs8ctJvB5WE","edition":2},{"mint":"85JMKSnRQ6qpC98JtJjJKoCvXF5neigtqmZ5Y5AHsyzt","edition_address":"CaGBEs3SxUbPaYrQr3TeqNwBRRodiBJHRNRgH25iNYWT","edition":4}]},"id":1}

// a print answers the list of its master
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":["CvfSyrvX38XqwueanfWX1uJCLd8C492wB72nAvRtjBxV",1,1]}
<< {"jsonrpc":"2.0","result":{"total":23,"limit":1,"page":1,"cursor":"1","master_edition_address":"CK8XTg3C5MmMnEYTFL5RWr5vhvEm1cb1j47CUQUXM4Lb","supply":23,"max_supply":34,"editions":[{"mint":"CvfSyrvX38XqwueanfWX1uJCLd8C492wB72nAvRtjBxV","edition_address":"FuUjMCKJkUPw5dMFsM24dX23tj9E46uxfvQkaFFM8Eec","edition":1}]},"id":1}

// an NFT of which no prints can be made has an empty list
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":["2fPDXLJCi8k1dN47Lpw3YCijPWX5pGcBpiF3ZgkvJWbz"]}
<< {"jsonrpc":"2.0","result":{"total":0,"limit":100,"page":1,"master_edition_address":"2isH4NpRc871YFiBuD6wFk8uB5zVQFTYaSP2XLwqSh4y","supply":0,"max_supply":0,"editions":[]},"id":1}

// a mint without a master edition
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":["DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6"]}
<< {"jsonrpc":"2.0","error":{"code":-32000,"message":"Master Edition not found","data":{"id":"DFEzxcZxm1pnFeWmxGTYsp8wFYgnnFkPKdhZfuvjZYj6"}},"id":1}

// a mint that does not exist
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":["HzLZUECeHqADY7enQnGAjXxJWgUZ4CGFAqQLZo2hXftj"]}
<< {"jsonrpc":"2.0","error":{"code":-32000,"message":"Asset Not Found","data":{"id":"HzLZUECeHqADY7enQnGAjXxJWgUZ4CGFAqQLZo2hXftj"}},"id":1}

// page 0
>> {"jsonrpc":"2.0","id":1,"method":"getNftEditions","params":["7HLJC2Gfush5oaaGQn46uZWJFioEjGpanNcfqUa5GpDF",0]}
<< {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: position 2 page must be >= 1 but got the number 0","data":{"parameter":"page","position":2}},"id":1}
