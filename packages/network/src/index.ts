export { type BanRecord, type BanStore, operatorBanMsMax } from './peers/banList.ts';
export type { DropReason, NetworkCounters, Traffic } from './counters.ts';
export type { DialPolicy, ListedPeer } from './peers/dialer.ts';
export { NetworkError, type NetworkErrorCode, type NetworkErrorDetail } from './errors.ts';
export type { ChannelName } from './wire/frame.ts';
export { type ChannelRate, defaultLimits, type NetworkLimits } from './limits.ts';
export { networkVersion, roleOf, type ShownPeer } from './wire/hello.ts';
export { createNetwork } from './peers/network.ts';
export type * from './options.ts';
export { dialRaw, helloFrame, messageFrames, type RawGreeting } from './session/rawPeer.ts';
export { generateTlsIdentity, spkiOf, type TlsIdentity } from './session/tlsIdentity.ts';
export { type SignerEvent, SignerLink, type SignerLinkStatus } from './signer/client.ts';
export { createSigningDesk, type HeldKey, type SigningDesk } from './signer/desk.ts';
export type { SignerKey } from './signer/messages.ts';
export {
  type AllowedNode,
  SignerServer,
  type SignerServerStatus,
} from './signer/server.ts';
