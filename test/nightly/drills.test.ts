import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { run } from '@prime/testkit';
import { lookAtDrill } from '../e2e/operations/drilling.ts';

/** All drills, each with the network that it has by itself. */

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'prime-drills-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** What each of them shows beside the rules of every drill. */
const claims: Readonly<Record<string, readonly string[]>> = {
  'rolling-restart': [],
  'rolling-upgrade': [
    'exchanged in time',
    'the version changes at its block',
    'the forgotten one signs nothing beyond',
  ],
  'rotate-signer': ['the new key votes'],
  'replace-machine': ['it watches before it signs', 'the new key votes'],
  'restore-backup': ['it watches before it signs'],
  'rebuild-from-snapshot': ['follower0 begins with a snapshot', 'validator3 begins with a snapshot'],
  'lose-region': [],
  'resume-after-halt': ['all stop at one block'],
};

it('every drill that is listed is run here', async () => {
  const { output } = await run(['drill', 'list', '--json']);
  const listed = JSON.parse(output) as readonly { readonly name: string }[];
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(claims));
});

it.each(Object.entries(claims))('%s proves what it says', async (name, rules) => {
  // The heights of an upgrade lie further ahead with every bit of patience.
  const report = await lookAtDrill(name, scratch, [], name === 'rolling-upgrade' ? 3 : 20);
  const found = report.findings.map(({ rule }) => rule);
  expect(found.filter((rule) => rules.includes(rule))).toEqual(rules);
});
