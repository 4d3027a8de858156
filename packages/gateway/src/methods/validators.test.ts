import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesToHex, type Height } from '@prime/primitives';
import { validatorOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

describe('prime_validators', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway();
    for (let count = 0; count < 3; count++) running.gateway.applyDelta(running.node.commit());
  });
  afterAll(() => running.gateway.close());

  const shown = (height: number) => {
    const { address, publicKey, moniker } = validatorOf(height as Height);
    return [
      {
        address,
        public_key: bytesToHex(publicKey),
        stake: '0x5',
        voting_power: '0x1',
        status: 'active',
        proposer_priority: '-0x3',
        moniker,
      },
    ];
  };

  it('without a block: the active set, as consensus has it now', async () => {
    expect(await running.call('prime_validators')).toEqual([]);
  });

  it('with a block: those who decided it', async () => {
    expect(await running.call('prime_validators', '0x2')).toEqual(shown(2));
    expect(await running.call('prime_validators', 'latest')).toEqual(shown(3));
    expect(await running.call('prime_validators', 'earliest')).toEqual(shown(0));
    const { hash } = running.node.deltas[0]!;
    expect(await running.call('prime_validators', { blockHash: hash })).toEqual(shown(1));
  });

  it('a block that does not exist is an error, so that nobody takes the set of now for that of then', async () => {
    expect(await running.failure('prime_validators', '0x4')).toMatchObject({ code: -32000 });
  });
});
