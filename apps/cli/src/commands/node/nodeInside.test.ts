import { describe, expect, it } from '@jest/globals';
import { usePrime } from '../../testing/usePrime.ts';
import { setAdminPort, useServers } from '../../testing/useServers.ts';

const { printed, prime, home } = usePrime(1);
const { serve } = useServers();

/** An admin endpoint that answers the same to everything. */
async function answering(answer: unknown): Promise<void> {
  const { port } = await serve((_, response) => response.end(JSON.stringify(answer)));
  await setAdminPort(home(0), port);
}

const [hash, proposer, other] = [`0x${'ab'.repeat(32)}`, `0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`];
const dump = {
  height: 7,
  round: 1,
  step: 'prevote',
  lockedRound: 0,
  lockedValue: hash,
  validRound: -1,
  validValue: null,
  decision: null,
  started: true,
  totalPower: '40',
  dropped: {},
  rounds: [
    {
      round: 0,
      proposer,
      proposals: [{ blockHash: hash, polRound: -1, complete: false }],
      prevotes: {
        votes: [
          { validator: proposer, blockHash: hash },
          { validator: other, blockHash: null },
        ],
        power: '20',
        missing: [],
      },
      precommits: { votes: [], power: '0', missing: [proposer, other] },
    },
  ],
};

describe('prime node dump-consensus', () => {
  it('shows rounds, proposals and votes, and what the node is locked on', async () => {
    await answering(dump);
    await prime('node', 'dump-consensus', '--home', home(0));
    expect(printed).toEqual([
      'height     7, round 1, prevote',
      `locked     ${hash} of round 0`,
      'valid      none',
      `round 0    proposer ${proposer}: 0xabababab (not all of it is here)`,
      '  prevotes of 20 of 40 voting power',
      `    0xabababab: ${proposer}`,
      `    nil: ${other}`,
      '  precommits of 0 of 40 voting power',
      `    missing: ${proposer} ${other}`,
    ]);
    printed.length = 0;
    await prime('node', 'dump-consensus', '--home', home(0), '--json');
    expect(JSON.parse(printed.join('\n'))).toEqual(dump);
  });

  it('between two heights there is nothing to show', async () => {
    await answering(null);
    await prime('node', 'dump-consensus', '--home', home(0));
    expect(printed).toEqual(['between two heights: a decided block is executed, or blocks are fetched']);
  });
});

describe('prime node log-level', () => {
  it('shows what modules write; a module without a level is CLI_USAGE', async () => {
    await answering({ consensus: 'info', signer: 'debug' });
    await prime('node', 'log-level', '--home', home(0));
    expect(printed).toEqual(['consensus   info', 'signer      debug']);
    await expect(prime('node', 'log-level', '--home', home(0), '--module', 'signer')).rejects.toMatchObject({
      code: 'CLI_USAGE',
    });
  });
});
