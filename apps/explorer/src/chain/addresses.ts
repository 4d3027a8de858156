/** Contract of the order book. The SDK names it too, and from there it would bring a library along. */
export const ordersAddress = '0x0000000000000000000000000000000000000100';
