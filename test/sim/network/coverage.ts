/**
 * What a run saw, by name: a simulation in which nothing goes wrong proves nothing, so every kind of fault is counted where it happens, and
 * a test demands some of each.
 */
const faultNames = [
  // processes
  'crashes',
  'crashesInOperation',
  'replays',
  'resumedWithoutLog',
  // disks
  'powerCuts',
  'tornWrites',
  'droppedSectors',
  'corruptedSectors',
  'lostBlocks',
  'lostStates',
  'foldersLost',
  // links
  'messagesDropped',
  'messagesDoubled',
  'messagesOvertaken',
  'messagesCut',
  'cutHalves',
  'cutAlone',
  'cutRings',
  'cutBridges',
  'cutOneWay',
  // clocks
  'clocksOff',
  'clockJumps',
  // validators that break the rules
  'twins',
  'forgetful',
  'liars',
  'silences',
  'otherVotes',
  'doubleVotes',
  'voteFloods',
  'otherBlocks',
  'doubleBlocks',
  'invalidBlocks',
  'wrongCertificates',
  'forgedBlocks',
  'equivocators',
  // upgrades
  'upgradeStops',
  'programsInstalled',
  'blocksOfNewVersion',
  // snapshots
  'snapshotsTaken',
  'snapshotsForged',
  'snapshotsRefused',
  'forgedChunks',
  'forgedHeaders',
  'liarsBanned',
  'joinedBySnapshot',
  'rejoinedBySnapshot',
  // slow peers
  'dribbles',
  'dribblersBanned',
  'dribblersSpared',
  // connections
  'peersRefused',
  'identitiesInUse',
  'copiesStarted',
  'copiesStopped',
  'departures',
  'joins',
  'rotations',
  // what came of it
  'laterRounds',
  'actionsIncluded',
  'transactionsIncluded',
  'writesAcknowledged',
  'manyRecordsEnded',
  'memberChanges',
  'convictions',
] as const;

export type FaultName = (typeof faultNames)[number];
export type Coverage = Record<FaultName, number>;

export const noCoverage = (): Coverage => Object.fromEntries(faultNames.map((name) => [name, 0])) as Coverage;
