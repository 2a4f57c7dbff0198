import { type MetricName, metricRows } from '@rubrica/contracts/metrics/metrics';

type Row<Name extends MetricName> = (typeof metricRows)[Name];

/** What the table of metrics says of one, for whoever makes it: nothing is exposed that is not in the table. */
export function metric<Name extends MetricName>(
  name: Name,
): { name: Name } & Pick<Row<Name>, 'type' | 'help' | 'labels'> {
  const { type, help, labels } = metricRows[name];
  return { name, type, help, labels };
}
