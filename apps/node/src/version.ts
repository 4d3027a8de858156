/** `<client_name>/<version>`, what web3_clientVersion answers. */
export const clientVersion = 'prime/0.1.0';
