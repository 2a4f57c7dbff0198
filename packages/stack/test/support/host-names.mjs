/*
 * Loaded by `--import` before a service: HOST_NAMES holds what the names of containers stand for, as `name=address`,
 * divided by commas. Ports, addresses in settings and names in certificates then stay as compose.yaml has them.
 */
import dns from 'node:dns';

const known = new Map(process.env.HOST_NAMES.split(',').map((pair) => pair.split('=')));
const { lookup, resolve4, resolve6 } = dns;

dns.lookup = (host, options, callback = options) => {
  const address = known.get(host);
  if (address === undefined) return lookup(host, options, callback);
  const all = typeof options === 'object' && options.all;
  process.nextTick(() => (all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4)));
};
dns.resolve4 = (host, callback) => {
  const address = known.get(host);
  if (address === undefined) return resolve4(host, callback);
  process.nextTick(() => callback(null, [address]));
};
dns.resolve6 = (host, callback) => {
  if (!known.has(host)) return resolve6(host, callback);
  process.nextTick(() => callback(new Error('no such record')));
};
