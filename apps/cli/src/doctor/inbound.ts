import { readFileSync } from 'node:fs';
import { formatListenAddress, type HomePaths, type ListenAddress, type NodeConfig } from '@prime/config';
import { dialRaw, generateTlsIdentity, spkiOf } from '@prime/network';
import { type Check, ok, warn } from './check.ts';

/** For a connection to oneself, ms. */
const dialMs = 5_000;

/** What listens on all addresses of the machine is dialled here. */
const dialled = ({ host, port }: ListenAddress): ListenAddress => ({
  host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host,
  port,
});

/** Whether others reach the node: that one of them did proves it; else whether it finds itself where it says that it is. */
export async function inboundCheck(
  paths: Pick<HomePaths, 'tlsCertificate'>,
  { p2p }: Pick<NodeConfig, 'p2p'>,
  peers: readonly { readonly direction: 'inbound' | 'outbound' }[],
): Promise<Check> {
  const name = 'reached by';
  const inbound = peers.filter(({ direction }) => direction === 'inbound').length;
  if (inbound > 0) return ok(name, `${inbound} of ${peers.length} peers, which came by themselves`);
  if (p2p.listen === null || p2p.sentries.length > 0) return ok(name, 'nobody, as its settings want it');
  const place = p2p.advertise ?? p2p.listen;
  const trouble = await answererAt(dialled(place), spkiOf(readFileSync(paths.tlsCertificate, 'utf8')));
  if (trouble === null) return ok(name, `nobody yet; it answers at ${formatListenAddress(place)}`);
  return warn(name, `nobody, and at ${formatListenAddress(place)} ${trouble}`, {
    why: 'peers that only it can dial are lost for as long as it is down, and new nodes never find it',
    advice: 'open the port of p2p.listen, and say in p2p.advertise where others reach it',
  });
}

/** Why the node with this pin does not answer at a place; null where it does. */
export async function answererAt(place: ListenAddress, pin: string): Promise<string | null> {
  const socket = dialRaw(place, await generateTlsIdentity());
  const timer = setTimeout(() => socket.destroy(), dialMs);
  try {
    // It reports errors as its close.
    await new Promise<void>((resolve) => socket.once('secureConnect', resolve).once('close', () => resolve()));
    const certificate = socket.destroyed ? undefined : socket.getPeerX509Certificate();
    if (certificate === undefined) return 'nobody answers';
    return spkiOf(certificate.toString()) === pin ? null : 'somebody else answers';
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
