/** Phases in which the set of validators changes, or nodes beside it come and go, while something else goes wrong. */
import { type Draw, list, phase, type Recipe } from './draw.ts';
import type { Fault } from './faults.ts';
import type { Phase } from './manifest.ts';

/** Something that takes away at most f validators, and not the ones that are spared. */
function disturbance(draw: Draw, spared: readonly number[] = []): { readonly words: string; readonly faults: Fault[] } {
  const one = draw.oneOf(draw.others(spared));
  const latency_ms = draw.between(10, 80);
  return draw.oneOf<{ readonly words: string; readonly faults: Fault[] }>([
    { words: 'all is well', faults: [] },
    { words: `${one} is down`, faults: [{ kind: 'kill', validators: [one] }] },
    { words: `${one} stands still`, faults: [{ kind: 'pause', validators: [one] }] },
    { words: `${one} is cut off`, faults: [cutOff(draw, one)] },
    { words: 'links are slow', faults: [{ kind: 'degrade', links: 'all', latency_ms, jitter_ms: latency_ms }] },
  ]);
}

const cutOff = (draw: Draw, validator: number): Fault => ({
  kind: 'partition',
  groups: [[validator], [...draw.others([validator]), ...draw.allFollowers()]],
});

function joins(draw: Draw): Phase {
  const node = draw.follower();
  const { words, faults } = disturbance(draw);
  return phase(`${node} joins and leaves, ${words}`, 'live', draw.holdMs(), [...faults, { kind: 'join', node }]);
}

function stakes(draw: Draw): Phase {
  const validator = draw.one();
  const { words, faults } = disturbance(draw, [validator]);
  return phase(`more stake of ${validator}, ${words}`, 'live', draw.holdMs(), [
    ...faults,
    { kind: 'stake', validator, percent: draw.between(5, 30) },
  ]);
}

function rotates(draw: Draw): Phase {
  const validator = draw.one();
  const { words, faults } = disturbance(draw, [validator]);
  return phase(`${validator} has another signer, ${words}`, 'live', draw.holdMs(), [
    ...faults,
    { kind: 'rotate_signer', validator },
  ]);
}

/** A key that was just exchanged has to be the one that is found after a crash. */
function rotatesAndDies(draw: Draw): Phase {
  const validator = draw.one();
  return phase(`${validator} has another signer and is killed`, 'live', draw.holdMs(), [
    { kind: 'rotate_signer', validator },
    { kind: 'kill', validators: [validator] },
  ]);
}

/** With four validators nobody may go: somebody else comes first. */
function goesOut(draw: Draw, kind: 'jail_self' | 'downtime', words: string): Phase {
  const [node, validator] = [draw.follower(), draw.one()];
  if (draw.validators > 4) return phase(`${validator} ${words}`, 'live', draw.holdMs(), [{ kind, validator }]);
  return phase(`${node} joins and ${words}`, 'live', draw.holdMs(), [
    { kind: 'join', node },
    { kind, validator: node },
  ]);
}

function stateSyncs(draw: Draw): Phase {
  const node = draw.follower();
  const { words, faults } = disturbance(draw);
  return phase(`${node} begins with a snapshot, ${words}`, 'live', draw.holdMs(), [
    ...faults,
    { kind: 'state_sync', node },
  ]);
}

function followersDie(draw: Draw): Phase {
  const nodes = draw.allFollowers();
  return phase(`followers ${list(nodes)} are killed`, 'live', draw.holdMs(), [{ kind: 'kill', validators: nodes }]);
}

function followerIsEmpty(draw: Draw): Phase {
  const validator = draw.follower();
  return phase(`blocks and state of follower ${validator} gone`, 'live', draw.holdMs(), [
    { kind: 'wipe', validator, folders: ['blocks', 'state'] },
  ]);
}

/** Phases with a follower that joins, or validators that leave, jail themselves, exchange keys or begin with a snapshot. */
export const memberRecipes: readonly Recipe[] = [
  joins,
  stakes,
  rotates,
  rotatesAndDies,
  (draw) => goesOut(draw, 'jail_self', 'goes out by itself'),
  (draw) => goesOut(draw, 'downtime', 'is jailed for downtime'),
  stateSyncs,
  followersDie,
  followerIsEmpty,
];
