import type { Mutant } from './mutant.ts';

const gateway = (file: string): string => `packages/gateway/src/${file}`;
const bucket = [gateway('access/tokenBucket.test.ts')];

export const gatewayMutants: readonly Mutant[] = [
  {
    name: 'a client may have one call more in work',
    file: gateway('access/tokenBucket.ts'),
    text: 'this.inWork >= concurrency',
    planted: 'this.inWork > concurrency',
    tests: bucket,
  },
  {
    name: 'a token costs 999 thousandths',
    file: gateway('access/tokenBucket.ts'),
    text: 'this.level -= token;',
    planted: 'this.level -= token - 1;',
    tests: bucket,
  },
  {
    name: 'a client is told to come back a millisecond too early',
    file: gateway('access/tokenBucket.ts'),
    text: 'Math.ceil((token - this.level) / requestsPerSecond)',
    planted: 'Math.floor((token - this.level) / requestsPerSecond)',
    tests: bucket,
  },
  {
    name: 'a whole token is not enough for a call',
    file: gateway('access/tokenBucket.ts'),
    text: 'this.level < token',
    planted: 'this.level <= token',
    tests: bucket,
  },
  {
    name: 'one client more is remembered',
    file: gateway('access/clientAdmission.ts'),
    text: 'this.buckets.size < clientsMax',
    planted: 'this.buckets.size <= clientsMax',
    tests: [gateway('access/clientAdmission.test.ts')],
  },
  {
    name: 'exactly the delay of an overload is none',
    file: gateway('access/loadMonitor.ts'),
    text: 'this.delayMs >= this.overloadDelayMs',
    planted: 'this.delayMs > this.overloadDelayMs',
    tests: [gateway('access/loadMonitor.test.ts')],
  },
  {
    name: 'a timer that comes in time is late by a millisecond',
    file: gateway('access/loadMonitor.ts'),
    text: 'at - this.lastAt - sampleIntervalMs',
    planted: 'at - this.lastAt - sampleIntervalMs + 1',
    tests: [gateway('access/loadMonitor.test.ts')],
  },
  {
    name: 'a checksum covers 24 levels',
    file: gateway('streams/bookChecksum.ts'),
    text: 'export const checksumDepth = 25;',
    planted: 'export const checksumDepth = 24;',
    tests: [gateway('streams/bookChecksum.test.ts')],
  },
  {
    name: 'one block more is recent',
    file: gateway('readModel/recentBlocks.ts'),
    text: 'this.byHeight.size > this.limits.blocks',
    planted: 'this.byHeight.size > this.limits.blocks + 1',
    tests: [gateway('readModel/recentBlocks.test.ts')],
  },
  {
    name: 'a range of recent entries ends one height too early',
    file: gateway('readModel/recentIndex.ts'),
    text: 'lowerBound(entries, start, toHeight + 1)',
    planted: 'lowerBound(entries, start, toHeight)',
    tests: [gateway('readModel/recentIndex.test.ts')],
  },
  {
    name: 'of the latest trades of a market one is missing',
    file: gateway('readModel/tradeHistory.ts'),
    text: 'trades.splice(0, tradesPerMarketMax)',
    planted: 'trades.splice(0, tradesPerMarketMax + 1)',
    tests: [gateway('readModel/tradeHistory.test.ts')],
  },
  {
    name: 'one transaction more may wait on an account',
    file: gateway('services/keyring.ts'),
    text: 'turns.size >= queuedPerAccountMax',
    planted: 'turns.size > queuedPerAccountMax',
    tests: [gateway('services/keyring.test.ts')],
  },
];
