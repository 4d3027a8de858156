import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import { builtInScenario } from '../builtInScenarios.ts';
import { contractsOf } from './contracts.ts';
import { creationCode } from './creationCode.ts';

const deployer = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266' as Address;

describe('contracts of a run', () => {
  it('are those that its kinds need, at the addresses of the first nonces of who deploys', () => {
    const { tokens, pools, creations, storage, trader } = contractsOf(builtInScenario('uniswap'), deployer);
    expect([tokens.length, pools.length, storage, trader]).toEqual([2, 4, null, null]);
    expect(creations.map(({ name }) => name)).toEqual(
      'LoadToken LoadToken LoadPool LoadPool LoadPool LoadPool'.split(' '),
    );
    // What every tool of Ethereum says of the first two contracts of this well-known account.
    expect(tokens).toEqual([
      '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
    ]);
    expect(contractsOf(builtInScenario('maker'), deployer).creations).toEqual([]);
  });

  it('the code that is checked in is what their sources give', async () => {
    const script = fileURLToPath(new URL('../../../scripts/compile.mjs', import.meta.url));
    const { stderr } = await promisify(execFile)(process.execPath, [script, '--check']);
    expect(stderr).toBe('');
    for (const code of Object.values(creationCode)) expect(code).toMatch(/^0x60[0-9a-f]+$/);
  });
});
