import { type MetricName, metricRows } from '@rubrica/contracts/metrics/metrics';

type Row<Name extends MetricName> = (typeof metricRows)[Name];

/**
 * Returns the row of a metric in the table of metrics, for its creation: nothing is exposed that is not in the table.
 */
export function metric<Name extends MetricName>(
  name: Name,
): { name: Name } & Pick<Row<Name>, 'type' | 'help' | 'labels'> {
  const { type, help, labels } = metricRows[name];
  return { name, type, help, labels };
}
