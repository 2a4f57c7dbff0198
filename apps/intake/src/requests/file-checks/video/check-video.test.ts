import { expect, test } from 'vitest';
import { checkIsoVideo, checkWebm } from './check-video.ts';

function box(type: string, body = Buffer.alloc(4), length = body.length + 8) {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}
const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0', 'latin1'));
function ebml(body: Buffer) {
  return Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 | body.length]), body]);
}
const segment = Buffer.from('18538067', 'hex');

test.each([
  ['its film at once', Buffer.concat([ftyp, box('moov')])],
  ['free space before its film', Buffer.concat([ftyp, box('free'), box('mdat')])],
  [
    'a length of 64 bits',
    Buffer.concat([ftyp, box('free', Buffer.from('0000000000000010', 'hex'), 1), box('moof')]),
  ],
])('an MP4 with %s is a video', (_what, bytes) => {
  expect(checkIsoVideo(bytes)).toEqual({ kind: 'ok' });
});

test.each([
  ['nothing after its first box', ftyp],
  ['zeros after its first box', Buffer.concat([ftyp, Buffer.alloc(2_000)])],
  ['a box that says it has no length', Buffer.concat([ftyp, box('free', Buffer.alloc(4), 2), box('moov')])],
  [
    'boxes without an end',
    Buffer.concat([ftyp, ...Array.from({ length: 20 }, () => box('free')), box('moov')]),
  ],
])('an MP4 with %s is for a person to judge', (_what, bytes) => {
  expect(checkIsoVideo(bytes)).toMatchObject({ kind: 'doubtful' });
});

test('a WebM is a video where a segment follows its header', () => {
  const header = ebml(Buffer.from('4282847765626d', 'hex'));
  expect(checkWebm(Buffer.concat([header, segment]))).toEqual({ kind: 'ok' });
  expect(checkWebm(header)).toMatchObject({ kind: 'doubtful' });
  expect(checkWebm(header.subarray(0, 6))).toMatchObject({ kind: 'doubtful' });
});
