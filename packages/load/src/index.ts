export { type Arrivals, type RateStage, stagedArrivals } from './arrivals.ts';
export { endpointOf, requestWriter } from './endpoint.ts';
export { HttpChannel } from './httpChannel.ts';
export { processClock, runOpenLoop } from './openLoop.ts';
export { SocketChannel } from './socketChannel.ts';
export { type Call, call, callAll, RefusedCall, toHex } from './rpcClient.ts';
