/** All that pages are made of. */
export { clock } from './clock.ts';
export { ErrorState, Known, Problem } from './ErrorState.tsx';
export * from './format.ts';
export { Icon, type IconName } from './icons.tsx';
export { Button, Dialog, Field, IconButton, Tabs } from './inputs.tsx';
export { Card, Empty, Fact, type KeyEntry, KeyValue, PageHead, Raw, Skeleton, Stat, Stats } from './layout.tsx';
export { marketWords, priceText, sizeText } from './marketFormat.ts';
export { Meter, Sparkline, Strip, type StripCell } from './pictures.tsx';
export { type Column, Table } from './Table.tsx';
export { toast } from './toasts.tsx';
export { Amount, Badge, CopyButton, Flash, Hash, type HashProps, SideBadge, Time } from './values.tsx';
