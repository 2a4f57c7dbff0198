/** Node of a plan, from `explain (analyze, buffers, verbose, format json)`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly Schema?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface Judgement {
  /** Tables that grow with the stored data, as `schema.table`. */
  readonly growing: ReadonlySet<string>;
  /** Rows of one of them that a node may read. */
  readonly mostRows: number;
}

/** Lists the parts of a plan that would cost more with more rows; empty if there are none. */
export function judgePlan(node: PlanNode, judgement: Judgement): string[] {
  const table = `${node.Schema}.${node['Relation Name']}`;
  const below = (node.Plans ?? []).flatMap((plan) => judgePlan(plan, judgement));
  if (node['Relation Name'] === undefined || !judgement.growing.has(table)) return below;
  const rows = rowsRead(node);
  return [
    ...(node['Node Type'].endsWith('Seq Scan') ? [`reads all of ${table}`] : []),
    ...(rows > judgement.mostRows
      ? [`reads ${rows} rows of ${table} (${node['Index Name'] ?? node['Node Type']})`]
      : []),
    ...below,
  ];
}

/** Counts the rows that a scan examined, returned or not. Nodes that write only pass on rows that others have read. */
export function rowsRead(node: PlanNode): number {
  if (!node['Node Type'].includes('Scan')) return 0;
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(each * (node['Actual Loops'] ?? 1));
}

/** Formats the nodes of a plan, one per line, with the rows that each read. */
export function shortPlan(node: PlanNode, depth = 0): string[] {
  const what = [node['Node Type'], node['Relation Name'], node['Index Name'] && `by ${node['Index Name']}`];
  const rows = node['Relation Name'] === undefined ? '' : `, ${rowsRead(node)} rows read`;
  const blocks = (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
  const line = `${'  '.repeat(depth)}${what.filter(Boolean).join(' ')} (${node['Actual Loops'] ?? 1} ×${rows}, ${blocks} pages)`;
  return [line, ...(node.Plans ?? []).flatMap((plan) => shortPlan(plan, depth + 1))];
}
