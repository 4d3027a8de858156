import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredBlock, ValidatorSet } from '@prime/codec';
import { advanceProposer, followMembers, validatorsFromGenesis } from '@prime/consensus';
import type { Round } from '@prime/primitives';
import { Cluster } from '../testing/cluster.ts';
import { refuseRotation } from './rotationProof.ts';

let chain: readonly StoredBlock[];
let sets: ValidatorSet[];

beforeAll(async () => {
  const cluster = await Cluster.create(4, 47);
  for (const { index } of cluster.nodes) await cluster.start(index);
  await cluster.time.runUntil(() => cluster.height(0) >= 8, 600_000);
  chain = [...cluster.nodes[0]!.disk.blocks];
  sets = [validatorsFromGenesis(cluster.genesis.validators)];
  for (const _ of chain) sets.push(advanceProposer(sets.at(-1)!));
});

const at = (height: number) => ({
  stored: chain[height - 1]!,
  validators: sets[height - 1]!,
  nextValidators: sets[height]!,
});

describe('the turns of a snapshot', () => {
  it('the true ones are accepted at every height', () => {
    for (let height = 1; height <= 8; height++) expect(refuseRotation(at(height))).toBeNull();
  });

  it('so are those of a set that changes', () => {
    const { stored, validators, nextValidators } = at(5);
    const [gone] = nextValidators.validators;
    const members = nextValidators.validators
      .filter(({ address }) => address !== gone!.address)
      .map((validator, index) => (index === 0 ? { ...validator, power: validator.power + 3n } : validator));
    const changed = followMembers(advanceProposer(validators), members);
    expect(refuseRotation({ stored, validators, nextValidators: changed })).toBeNull();
  });

  it('a next set whose turns do not follow: refused', () => {
    const { nextValidators, ...rest } = at(5);
    const [first, second, ...others] = nextValidators.validators;
    const swapped = {
      validators: [
        { ...first!, proposerPriority: first!.proposerPriority + 1n },
        { ...second!, proposerPriority: second!.proposerPriority - 1n },
        ...others,
      ],
    };
    expect(refuseRotation({ ...rest, nextValidators: swapped })).toMatch(/do not follow/);
  });

  it('turns by which somebody else had proposed: refused, but where an earlier round may have been at work', () => {
    const { stored } = at(5);
    const shifted = { stored, validators: sets[5]!, nextValidators: sets[6]! };
    expect(refuseRotation(shifted)).toMatch(/had the first turn/);
    const later = { ...stored, certificate: { ...stored.certificate, round: 1 as Round } };
    expect(refuseRotation({ ...shifted, stored: later })).toBeNull();
  });
});
