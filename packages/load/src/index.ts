export { type Arrivals, constantArrivals, poissonArrivals } from './arrivals.ts';
export { endpointOf, requestWriter } from './endpoint.ts';
export { HttpChannel } from './httpChannel.ts';
export { processClock, runOpenLoop } from './openLoop.ts';
export { SocketChannel } from './socketChannel.ts';
