import { describe, expect, it } from '@jest/globals';
import { ChaosError } from '@prime/chaos';
import { asRun } from './primeProgram.ts';

const outcomeOf = (thrown: unknown): Promise<unknown> =>
  asRun(() => Promise.reject(thrown)).catch((error: unknown) => error);

describe('what a network under chaos throws, at the command line', () => {
  it('CHAOS_MANIFEST_INVALID: CLI_MANIFEST_INVALID, in the same words', async () => {
    const thrown = new ChaosError('faults.json is not JSON', { code: 'CHAOS_MANIFEST_INVALID', reason: 'not JSON' });
    expect(await outcomeOf(thrown)).toMatchObject({
      name: 'CliError',
      message: 'faults.json is not JSON',
      detail: { code: 'CLI_MANIFEST_INVALID', reason: 'not JSON' },
      cause: thrown,
    });
  });

  it('CHAOS_NODE_ENDED: CLI_VALIDATOR_ENDED with the name and the exit code', async () => {
    const detail = { code: 'CHAOS_NODE_ENDED', name: 'validator1', exitCode: 78 } as const;
    expect(await outcomeOf(new ChaosError('validator1 does not start: no state', detail))).toMatchObject({
      message: 'validator1 does not start: no state',
      detail: { code: 'CLI_VALIDATOR_ENDED', name: 'validator1', exitCode: 78 },
    });
  });

  it('anything else stays what it is', async () => {
    const thrown = new Error('no space left');
    expect(await outcomeOf(thrown)).toBe(thrown);
  });
});
