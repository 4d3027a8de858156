import { describe, expect, it } from '@jest/globals';
import { escapeHtml } from './html.ts';

describe('escapeHtml', () => {
  it('leaves nothing that ends a quoted attribute or begins a tag or an entity', () => {
    expect(escapeHtml(`<a b="c" d='e'>&amp;</a>`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;&lt;/a&gt;');
  });

  it('leaves other text as it is', () => {
    expect(escapeHtml('ETH/USD — 3 012.55 ✓')).toBe('ETH/USD — 3 012.55 ✓');
  });
});
