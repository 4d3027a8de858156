import { createLink, type Link, type LinkDescriptor } from '@prime/bus';

/**
 * The thread drawing of ARCHITECTURE.md as a table: which threads there are and which links join them. Side `a` of a link is the
 * thread that is named first.
 */
export const threadNames = ['clob', 'evm', 'gateway', 'consensus'] as const;

/** A main thread of a node; pools of workers are not among them. */
export type ThreadName = (typeof threadNames)[number];

const mebibyte = 1024 * 1024;

/** Rings are sized by what flows: whole blocks towards execution, deltas towards the gateway. */
const topology = [
  { name: 'gateway-consensus', a: 'gateway', b: 'consensus', ringBytes: { a: 4 * mebibyte, b: mebibyte } },
  { name: 'consensus-evm', a: 'consensus', b: 'evm', ringBytes: { a: 4 * mebibyte, b: mebibyte } },
  { name: 'evm-clob', a: 'evm', b: 'clob', ringBytes: { a: 4 * mebibyte, b: 4 * mebibyte } },
  { name: 'evm-gateway', a: 'evm', b: 'gateway', ringBytes: { a: 4 * mebibyte, b: 65_536 } },
] as const satisfies readonly {
  readonly name: string;
  readonly a: ThreadName;
  readonly b: ThreadName;
  readonly ringBytes: { readonly a: number; readonly b: number };
}[];

/** Both ends of a link between threads, side `a` first. */
export type LinkName = (typeof topology)[number]['name'];

/** All links, in the order of the table: metrics have a place for each. */
export const linkNames: readonly LinkName[] = topology.map(({ name }) => name);

/** All links of a node, and which end goes to which thread. */
export interface Wiring {
  readonly links: readonly Link[];
  /** Ends of the links that a thread holds. */
  readonly ends: Readonly<Record<ThreadName, Partial<Record<LinkName, LinkDescriptor>>>>;
}

/** Makes all links. */
export function wire(): Wiring {
  const ends: Record<ThreadName, Partial<Record<LinkName, LinkDescriptor>>> = {
    clob: {},
    evm: {},
    gateway: {},
    consensus: {},
  };
  const links = topology.map(({ name, a, b, ringBytes }) => {
    const link = createLink({ name, ringBytes });
    ends[a][name] = link.a;
    ends[b][name] = link.b;
    return link;
  });
  return { links, ends };
}
