import { expect, test } from 'vitest';
import { Html, html } from './html.ts';

test('values are escaped, and markup is not escaped again', () => {
  const list = ['<b>', html`<i>${'"&\''}</i>`];
  expect(html`<p title="${'"x"'}">${list}</p>`.text).toBe(
    '<p title="&quot;x&quot;">&lt;b&gt;<i>&quot;&amp;&#39;</i></p>',
  );
});

test('parts that are absent leave nothing behind, and 0 stays', () => {
  expect(html`${undefined}${false}${0}${new Html('<br>')}`.text).toBe('0<br>');
});
