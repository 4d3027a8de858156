import type { JSX } from 'preact';
import { Badge } from '../../kit/index.ts';
import type { StandingOf } from './members.ts';

const tones = {
  signing: 'good',
  missing: 'bad',
  jailed: 'warn',
  banned: 'bad',
  left: 'plain',
  waiting: 'plain',
} as const;
const titles = {
  signing: 'It signs blocks',
  missing: 'It is in no certificate lately, or left the node that this page reads',
  jailed: 'It is out of the set for a time, because it was away too long or signed twice',
  banned: 'It signed two blocks for one height, and may never come back',
  left: 'It takes its stake out',
  waiting: 'It has stake, and is not in the set',
} as const;

/** A coloured word with what it means as a hint; nothing while it is not known. */
export const Standing = ({ of }: { readonly of: StandingOf }): JSX.Element | null =>
  of === null ? null : (
    <Badge tone={tones[of]} title={titles[of]}>
      {of}
    </Badge>
  );
