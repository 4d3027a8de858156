import { createHash } from 'node:crypto';
import { escapeHtml, type Height } from '@prime/primitives';
import type { HttpAnswer, RequestHead } from './httpMessages.ts';

/** What a person sees who opens the port of JSON-RPC in a browser. */

/** What the page says that a browser gets from the JSON-RPC port. Text is escaped when the page is made. */
export interface FrontPageFacts {
  /** Of genesis: any text. */
  readonly networkName: string;
  readonly chainId: number;
  readonly clientVersion: string;
  /** Whether callers need a key; without one nothing of the chain is told. */
  readonly access: 'open' | 'keys';
  /** An http or https address; null where nobody named one. */
  readonly explorerUrl: string | null;
}

const style = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:10vh auto;padding:0 1rem}
h1{font-size:1.4rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem}
dt{opacity:.75}
dd{margin:0;overflow-wrap:anywhere}
pre{overflow-x:auto;padding:.75rem;border:1px solid;border-radius:.4rem}`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing is loaded, no script runs, nobody frames it. The empty icon keeps browsers from asking for one. */
const headers: HttpAnswer['headers'] = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  // The same address answers others in JSON.
  ['Vary', 'Accept'],
  [
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
];

const discover = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'rpc.discover' });

const row = (name: string, value: string): string => `<dt>${name}</dt><dd>${value}</dd>`;
const link = (address: string): string => `<a href="${address}">${address}</a>`;

/** @param head height of the newest block */
export function frontPage(facts: FrontPageFacts, head: Height): HttpAnswer {
  const { networkName, chainId, clientVersion, access, explorerUrl } = facts;
  const name = escapeHtml(networkName);
  const explorer = explorerUrl === null ? null : escapeHtml(explorerUrl.replace(/\/+$/, ''));
  const rows = [
    row('network', name),
    row('chain id', `${chainId} (0x${chainId.toString(16)})`),
    ...(access === 'keys' ? [] : [row('head', `block ${head}`)]),
    row('node', escapeHtml(clientVersion)),
    ...(explorer === null
      ? []
      : [row('explorer', link(`${explorer}/`)), row('try methods', link(`${explorer}/developer`))]),
  ];
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,">
<title>${name}: JSON-RPC of a Prime node</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>JSON-RPC of a Prime node</h1>
<p>Programs ask this port: JSON-RPC over HTTP POST, and over WebSocket at the same address${access === 'keys' ? '. Calls need an API key' : ''}.</p>
<dl>
${rows.join('\n')}
</dl>
<p>All methods and streams, as an OpenRPC document, are the answer of <code>rpc.discover</code>:</p>
<pre>curl -s ADDRESS -H 'content-type: application/json' -d '${discover}'</pre>
<p>The same in words: <code>docs/rpc</code> in the repository of Prime.</p>
</main>
</body>
</html>
`;
  return { status: '200 OK', headers, body };
}

/** What somebody asks for who wants to see a page. Programs say that they take anything, or JSON, and get what they always got. */
export function asksForPage(head: Pick<RequestHead, 'method' | 'path' | 'header'>): boolean {
  const { method, path } = head;
  return (method === 'GET' || method === 'HEAD') && path === '/' && takesHtml(head.header('accept'));
}

/** Whether `text/html` is named, and not refused by a weight of 0 (RFC 9110, section 12.5.1). */
function takesHtml(accept: string): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .some((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      return type === 'text/html' && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
    });
}
