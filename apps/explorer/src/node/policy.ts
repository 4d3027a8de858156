import { type ReadonlySignal, signal } from '@preact/signals';

/** What a browser says of a request that the policy of the pages forbids (Content Security Policy Level 3, section 5). */
type Violation = Pick<SecurityPolicyViolationEvent, 'effectiveDirective' | 'blockedURI'>;

/** Where the page hears of it; a document is one. */
export interface ViolationTarget {
  addEventListener(type: 'securitypolicyviolation', listener: (violation: Violation) => void): void;
}

/** A node's origin, whether it was asked over HTTP or over a WebSocket; null where the browser does not name it. */
function nodeOrigin(uri: string): string | null {
  const http = uri.replace(/^ws/, 'http');
  return URL.canParse(http) ? new URL(http).origin : null;
}

/**
 * Origins that the browser did not let the page ask, because whoever serves the pages named other ones. To the page itself such a request looks as if nobody
 * answered.
 */
export function watchPolicy(target: ViolationTarget): ReadonlySignal<ReadonlySet<string>> {
  const forbidden = signal<ReadonlySet<string>>(new Set());
  target.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    const origin = effectiveDirective === 'connect-src' ? nodeOrigin(blockedURI) : null;
    if (origin !== null && !forbidden.peek().has(origin)) forbidden.value = new Set([...forbidden.peek(), origin]);
  });
  return forbidden;
}
