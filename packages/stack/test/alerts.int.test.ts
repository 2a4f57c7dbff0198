import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const run = promisify(execFile);
const deploy = new URL('../../../deploy/', import.meta.url).pathname;
const alertsFolder = join(deploy, 'alerts');
const ruleFiles = ['objectives.yaml', 'symptoms.yaml'];
const testFiles = ['objectives.test.yaml', 'symptoms.test.yaml'];
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

interface Alert {
  readonly alert: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook_url: string;
  };
}
interface RuleTest {
  readonly name: string;
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly object[] }[];
}
interface Board {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly datasource: { readonly uid: string };
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const read = (file: string) => parse(readFileSync(join(alertsFolder, file), 'utf8'));
const alerts = ruleFiles
  .flatMap((file) => (read(file).groups as { rules: Alert[] }[]).flatMap(({ rules }) => rules))
  .filter(({ alert }) => alert !== undefined);
const boards = readdirSync(join(deploy, 'grafana'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(deploy, 'grafana', file), 'utf8')) as Board);

/** Grafana puts a time in its place. */
const asProgram = (expr: string) => expr.replaceAll('$__rate_interval', '5m');

async function checkExpressions(expressions: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'boards-'));
  try {
    const rules = expressions.map((expr, index) => ({ record: `board:${index}`, expr }));
    const file = join(folder, 'boards.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'boards', rules }] }));
    await run('promtool', ['check', 'rules', '--lint=none', file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('alerts', () => {
  it.skipIf(!hasPromtool)('are rules that Prometheus takes', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', ...ruleFiles], { cwd: alertsFolder });
    expect(stdout.match(/SUCCESS/g)).toHaveLength(ruleFiles.length);
  });

  it.skipIf(!hasPromtool)('fire on what they are for and are silent where all is well', async () => {
    const { stdout } = await run('promtool', ['test', 'rules', ...testFiles], { cwd: alertsFolder });
    expect(stdout.match(/SUCCESS/g)).toHaveLength(testFiles.length);
  });

  it('are each tried with a broken series and with a healthy one', () => {
    const cases = testFiles.flatMap((file) => (read(file).tests as RuleTest[]).flatMap(casesOf));
    for (const { alert } of alerts) {
      expect(cases).toContainEqual({ alert, kind: 'broken', fires: true });
      expect(cases).toContainEqual({ alert, kind: 'healthy', fires: false });
    }
    expect(alerts.length).toBeGreaterThan(20);
  });

  it('say what is wrong and lead to a runbook of their own, and no runbook is without an alert', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary.length).toBeGreaterThan(10);
      expect(annotations.description.length).toBeGreaterThan(20);
      expect(annotations.runbook_url).toBe(`{{ $externalLabels.runbooks }}/${alert}.md`);
    }
    const runbooks = readdirSync(join(deploy, 'runbooks')).filter((file) => file !== 'README.md');
    expect(runbooks.toSorted()).toEqual(alerts.map(({ alert }) => `${alert}.md`).toSorted());
    for (const file of runbooks) {
      const text = readFileSync(join(deploy, 'runbooks', file), 'utf8');
      const headings = ['## What it means', '## How to look', '## What to do'];
      expect(headings.filter((heading) => !text.includes(heading))).toEqual([]);
    }
  });
});

function casesOf({ name, alert_rule_test: tests }: RuleTest) {
  return tests.map(({ alertname, exp_alerts }) => ({
    alert: alertname,
    kind: name.split(':')[0],
    fires: exp_alerts.length > 0,
  }));
}

describe('boards', () => {
  it('are five, each of panels that do not overlap and ask the chosen data source', () => {
    expect(boards.map(({ uid }) => uid).toSorted()).toEqual(
      ['delivery', 'gateway', 'issuance', 'overview', 'platform'].map((name) => `rubrica-${name}`),
    );
    for (const { templating, panels } of boards) {
      expect(templating.list).toContainEqual(
        expect.objectContaining({ name: 'datasource', type: 'datasource' }),
      );
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
      for (const { datasource, gridPos, targets } of panels) {
        expect(datasource.uid).toBe('$' + '{datasource}');
        expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
        expect(targets.length).toBeGreaterThan(0);
      }
    }
  });

  it.skipIf(!hasPromtool)('ask in expressions that Prometheus takes; it would refuse others', async () => {
    const asked = boards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets));
    await checkExpressions(asked.map(({ expr }) => asProgram(expr)));
    await expect(checkExpressions(['sum(rate(rubrica_requests[5m])'])).rejects.toThrow();
  });
});
