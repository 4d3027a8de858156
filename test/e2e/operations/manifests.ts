/** Manifests of test networks. */

/**
 * validator0 alone decides blocks, so that the others may fail; its key is in a signer, and validator1 hides behind a sentry.
 *
 * @param port of a range of forty
 */
export const shieldedNetwork = (port: number): string => `format = "prime-testnet-1"
name = "trial"
base_port = ${port}
followers = 1
remote_signers = ["validator0"]

[[validators]]
moniker = "heavy"
stake = 10000

[[validators]]
moniker = "hidden"
stake = 1000

[[sentries]]
validators = ["validator1"]
`;
