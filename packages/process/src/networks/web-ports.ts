/**
 * First allowed port other than https: below 1024 only https is plausible; a web server that cannot have 443 uses
 * 8443 or another high port.
 */
const lowestFreePort = 1024;
const httpsPort = 443;

/**
 * High ports of services other than web servers: the Fetch standard's "bad ports" (which keep a browser from speaking
 * HTTP to other protocols), and databases, brokers and cluster consoles. Some of those speak https or read commands
 * line by line, so a POST of ours could have an effect there.
 */
const servicePorts: ReadonlySet<number> = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ...[1433, 1521, 3306, 5432, 5984, 6379, 7000, 7001, 9042, 9200, 9300, 11211, 27017, 27018, 27019],
  ...[1883, 4222, 5671, 5672, 6222, 8883, 9092, 15672, 61613, 61616],
  ...[2181, 2375, 2376, 2377, 2379, 2380, 4646, 6443, 8200, 8500, 10250, 10255, 10257, 10259],
  ...[3389, 5900, 5901, 5985, 5986],
]);

/**
 * Tells whether a web receiver may be called at this port.
 * @param port as in a URL: empty for the protocol's own
 */
export function isWebPort(port: string): boolean {
  if (port === '') return true;
  const number = Number(port);
  return number === httpsPort || (number >= lowestFreePort && !servicePorts.has(number));
}
