/** How long orders live (until they are cancelled, not at all, whole or not at all), by the numbers that encodings have for them. */
export const timesInForce = ['gtc', 'ioc', 'fok'] as const;
export type TimeInForce = (typeof timesInForce)[number];
