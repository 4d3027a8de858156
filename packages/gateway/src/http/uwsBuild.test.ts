import { describe, expect, it } from '@jest/globals';
import { loadUws, type UwsMachine } from './uwsBuild.ts';

const debian12: UwsMachine = {
  node: '20.20.2',
  modules: '115',
  platform: 'linux',
  arch: 'x64',
  glibc: () => '2.36',
};
const former = 'uWebSockets.js-20.30/binaries/uws_linux_x64_115.node';
const library = {};

/** A machine on which only these load. */
const only =
  (...names: readonly string[]) =>
  (name: string): unknown => {
    if (!names.includes(name)) throw new Error(`no ${name}`);
    return library;
  };

describe('the build of uWebSockets.js', () => {
  it('is the newer one where it loads, the older one on Node.js 20 where it does not', () => {
    expect(loadUws(only('uWebSockets.js', former), debian12)).toEqual({ version: '20.57.0', library });
    expect(loadUws(only(former), debian12)).toEqual({ version: '20.30.0', library });
    const arm = { ...debian12, arch: 'arm64' };
    expect(loadUws(only('uWebSockets.js-20.30/binaries/uws_linux_arm64_115.node'), arm).version).toBe('20.30.0');
  });

  it('ends with what is here and what is needed where none loads', () => {
    const node22 = { ...debian12, node: '22.23.3', modules: '127' };
    expect(() => loadUws(only(former), node22)).toThrow(
      expect.objectContaining({
        code: 'GATEWAY_HTTP_UNAVAILABLE',
        message: expect.stringMatching(
          /^the HTTP server .* no build for Node.js 22.23.3 on linux x64 with glibc 2.36\. It needs .*glibc 2.38 or newer .*with an older glibc it needs Node.js 20$/,
        ),
      }),
    );
    const musl = { ...debian12, glibc: () => null };
    expect(() => loadUws(only(), musl)).toThrow(/Node.js 20.20.2 on linux x64\. It needs/);
  });

  it('is one that loads here', () => {
    expect(['20.57.0', '20.30.0']).toContain(loadUws().version);
  });
});
