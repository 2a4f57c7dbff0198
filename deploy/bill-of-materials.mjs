import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';

// Reads what `npm sbom` wrote and prints it under the service's name, without packages that are no longer where it found
// them, and without what differs each time: its number and its time, both of which CycloneDX leaves open.
const [service, version] = process.argv.slice(2);
const { serialNumber: _, metadata, ...bill } = JSON.parse(await text(process.stdin));
const { timestamp: __, component, ...about } = metadata;
const named = { ...component, type: 'application', name: `rubrica/${service}`, ...(version && { version }) };
const pathOf = ({ properties = [] }) => properties.find(({ name }) => name === 'cdx:npm:package:path')?.value;
const isThere = (one) => existsSync(pathOf(one) || '.');
const gone = new Set(bill.components.filter((one) => !isThere(one)).map((one) => one['bom-ref']));
const components = bill.components.filter(isThere);
const dependencies = bill.dependencies
  .filter(({ ref }) => !gone.has(ref))
  .map(({ dependsOn = [], ...one }) => ({ ...one, dependsOn: dependsOn.filter((ref) => !gone.has(ref)) }));
process.stdout.write(
  `${JSON.stringify({ ...bill, components, dependencies, metadata: { ...about, component: named } }, null, 1)}\n`,
);
