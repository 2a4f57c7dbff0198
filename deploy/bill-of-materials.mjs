import { text } from 'node:stream/consumers';

// Reads what `npm sbom` wrote and prints it under the service's name, without what differs each time: its number and
// its time, both of which CycloneDX leaves open.
const [service, version] = process.argv.slice(2);
const { serialNumber: _, metadata, ...bill } = JSON.parse(await text(process.stdin));
const { timestamp: __, component, ...about } = metadata;
const named = { ...component, type: 'application', name: `rubrica/${service}`, ...(version && { version }) };
process.stdout.write(`${JSON.stringify({ ...bill, metadata: { ...about, component: named } }, null, 1)}\n`);
