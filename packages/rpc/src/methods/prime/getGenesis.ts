import { Type } from '@sinclair/typebox';
import { JsonText } from '../../dispatch/answerCache.ts';
import { defineMethod } from '../../define.ts';

/** Whoever knows the hash can check that the text is the true one. */
export const getGenesis = defineMethod({
  name: 'prime_getGenesis',
  summary:
    'The genesis that the node runs on, as genesis.json has it: what is left out there is left out here. Its hash is the hash of block 0.',
  params: [],
  result: Type.Object(
    {
      formatVersion: Type.Integer(),
      chainId: Type.Integer(),
      networkName: Type.String(),
      testNetwork: Type.Boolean(),
      timestampMs: Type.Integer(),
      actions: Type.String(),
      consensus: Type.Object({}, { additionalProperties: true }),
      evm: Type.Object({}, { additionalProperties: true }),
      clob: Type.Object({}, { additionalProperties: true }),
      alloc: Type.Object({}, { additionalProperties: true }),
      validators: Type.Array(Type.Object({}, { additionalProperties: true })),
      markets: Type.Array(Type.Object({}, { additionalProperties: true })),
    },
    { title: 'Genesis', additionalProperties: true },
  ),
  privacy: 'public',
  examples: [
    {
      params: [],
      result: {
        formatVersion: 2,
        chainId: 7919,
        networkName: 'prime',
        testNetwork: true,
        timestampMs: 1_700_000_000_000,
        actions: 'open',
        consensus: { minBlockIntervalMs: 50, emptyBlockIntervalMs: 1000 },
        evm: { gasLimit: '30000000', initialBaseFee: '1000000000' },
        clob: { initialMarginBps: 1000, maintenanceMarginBps: 500 },
        alloc: {},
        validators: [{ stake: '1000000000000000000', moniker: 'validator0' }],
        markets: [{ symbol: 'ETH/USD', tickSize: '1', lotSize: '1' }],
      },
    },
  ],
  handler: ({ info }) => new JsonText(info.genesisText()),
});
