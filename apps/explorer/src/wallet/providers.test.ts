import { describe, expect, it } from '@jest/globals';
import { readAnnouncement } from './providers.ts';

const info = { uuid: 'a', name: ' Wallet ', rdns: 'org.example', icon: 'data:image/svg+xml,x' };
const provider = { request: () => Promise.resolve(null) };

describe('an announcement of a wallet', () => {
  it('is read', () => {
    expect(readAnnouncement({ info, provider })).toEqual({ ...info, name: 'Wallet', provider });
  });

  it.each([
    null,
    'x',
    {},
    { info },
    { provider },
    { info: { ...info, name: 1 }, provider },
    { info: { ...info, name: ' ' }, provider },
    { info, provider: {} },
  ])('is none: %p', (detail) => {
    expect(readAnnouncement(detail)).toBeNull();
  });

  it('has a picture only where that asks nobody for it', () => {
    for (const icon of ['https://example.org/x.png', 'javascript:alert(1)', 7, undefined])
      expect(readAnnouncement({ info: { ...info, icon }, provider })?.icon).toBeNull();
  });
});
