/** All that pages are made of. */
export { clock } from './clock.ts';
export { ErrorState, Known, Problem } from './ErrorState.tsx';
export * from './format.ts';
export { Icon, type IconName } from './icons.tsx';
export { Button, Dialog, Field, IconButton, Select, submitting, Tabs, TextField } from './inputs.tsx';
export {
  Card,
  Empty,
  Fact,
  KeyCard,
  type KeyEntry,
  KeyValue,
  PageHead,
  Raw,
  Skeleton,
  Stat,
  Stats,
} from './layout.tsx';
export { marketWords, priceText, sizeText } from './marketFormat.ts';
export { ofKnown, orNone, orPlace } from './maybe.tsx';
export { Meter, meterProps, Sparkline, Strip, type StripCell } from './pictures.tsx';
export { type Column, Table, TableCard } from './Table.tsx';
export { toast } from './toasts.tsx';
export {
  Amount,
  Badge,
  Change,
  CopyButton,
  Flash,
  Hash,
  type HashProps,
  SideBadge,
  Time,
  TimeAndMoment,
  Until,
} from './values.tsx';
