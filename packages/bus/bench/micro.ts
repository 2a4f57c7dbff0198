import { createRequire } from 'node:module';
import { createCallRunner } from '../src/serve/call-runner.ts';
import { createInFlight } from '../src/serve/in-flight.ts';
import { createStatistics } from '../src/serve/statistics.ts';
import { encodeCallHeaders } from '../src/wire/headers.ts';
import { decodeCall } from '../src/serve/decode-call.ts';
import { readHeaders } from '../src/wire/read-headers.ts';
import { benchRouter, callHeaders, order } from './workload.ts';
const require = createRequire(import.meta.url);
const { MsgImpl } = require('/work/main/node_modules/nats/lib/nats-base-client/msg.js');
let out = 0;
const bus: any = { nc: { publish(_s: string, b: Uint8Array) { out += b.length; } }, maxPayloadBytes: () => 1e6, fault: console.error };
const inFlight = createInFlight(); const statistics = createStatistics(['orders.confirm']);
const runner = createCallRunner({ bus, inFlight, statistics, router: benchRouter, onError: console.error, createContext: ({ headers }) => ({ caller: headers.authorization ?? '' }) } as any);
const hdr = encodeCallHeaders({ type: 'query', remainingMs: 5000, headers: callHeaders }).encode() as Buffer;
const body = Buffer.from(JSON.stringify(order)); const raw = Buffer.concat([Buffer.from('HMSG xx\r\n'), hdr, body]).subarray(9);
const subject = Buffer.from('rpc.v1.bench.orders.confirm');
let id = 0;
const msg = () => new MsgImpl({ subject, reply: Buffer.from(`_INBOX_bench-client.abcdefghijklmnopqrstuv.${(id++).toString(36)}`), sid: 1, hdr: hdr.length, size: raw.length }, raw, null);
async function timed(name: string, f: () => void, wait = false) { let best = 1e9; for (let r = 0; r < 25; r++) { const n = 6400; const t = process.hrtime.bigint(); for (let i = 0; i < n; i += 64) { for (let j = 0; j < 64; j++) f(); if (wait) await new Promise((r) => setImmediate(r)); } const ns = Number(process.hrtime.bigint() - t) / n; if (ns < best) best = ns; } console.log(name.padEnd(30), best.toFixed(0), 'ns'); }
await timed('msg', () => void msg());
await timed('readHeaders', () => void readHeaders(msg()));
await timed('slow headers', () => { const m = msg(); void m.headers; });
await timed('decodeCall', () => void decodeCall(msg(), 'orders.confirm'));
await timed('run', () => { const m = msg(); runner.run(m, m.reply, 'orders.confirm'); }, true);
const { callTRPCProcedure } = await import('@trpc/server');
const ctx = { caller: 'x' }; const signal = new AbortController().signal;
await timed('callTRPCProcedure', () => void callTRPCProcedure({ router: benchRouter, path: 'orders.confirm', type: 'query', ctx, signal, getRawInput: async () => order, batchIndex: 0 }), true);

const m0 = msg(); void m0.subject; void m0.reply;
const u = new TextDecoder();
await timed('size()', () => void m0.size());
await timed('data getter', () => void m0.data);
const d = m0.data;
await timed('new U8 + decode', () => void u.decode(new Uint8Array(d.buffer, d.byteOffset - hdr.length, hdr.length)));
const fb = Buffer.from(d.buffer, d.byteOffset - hdr.length, hdr.length);
await timed('Buffer.from(ab) + latin1Slice', () => void (Buffer.from(d.buffer, d.byteOffset - hdr.length, hdr.length) as any).latin1Slice(0, hdr.length));
await timed('latin1Slice', () => void (fb as any).latin1Slice(0, hdr.length));
await timed('utf8Slice', () => void (fb as any).utf8Slice(0, hdr.length));
const text = (fb as any).latin1Slice(0, hdr.length) as string;
function parse(block: string) { const record: any = Object.create(null); let start = 10; while (start < block.length) { const end = block.indexOf('\r\n', start); if (end === -1) break; const colon = block.indexOf(':', start); if (colon !== -1 && colon < end) { record[block.slice(start, colon).toLowerCase()] ??= block.slice(colon + 1, end).trim(); } start = end + 2; } return record; }
await timed('parse', () => void parse(text));
function parse2(block: string) { const record: any = Object.create(null); for (const line of block.split('\r\n')) { const c = line.indexOf(': '); if (c > 0) record[line.slice(0, c)] = line.slice(c + 2); } return record; }
await timed('parse split', () => void parse2(text));
function parse3(block: string) { const record: any = {}; for (const line of block.split('\r\n')) { const c = line.indexOf(': '); if (c > 0) record[line.slice(0, c)] = line.slice(c + 2); } return record; }
await timed('parse split {}', () => void parse3(text));
await timed('subject+reply', () => { const m = msg(); void m.subject; void m.reply; });
await timed('encodeCallHeaders', () => void encodeCallHeaders({ type: 'query', remainingMs: 5000, headers: callHeaders }));
process.exit();
