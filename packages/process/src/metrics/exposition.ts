import type { Sample } from './series.ts';

export type Format = 'prometheus' | 'openmetrics';

export const formats: Readonly<Record<Format, { contentType: string; end: string }>> = {
  prometheus: { contentType: 'text/plain; version=0.0.4; charset=utf-8', end: '' },
  openmetrics: {
    contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    end: '# EOF\n',
  },
};

/** What a scraper asks for by its `Accept`: exemplars are known to OpenMetrics alone. */
export function formatOf(accept: string | undefined): Format {
  return accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'prometheus';
}

export type Registered = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: () => Sample[];
  collect?: () => void | Promise<void>;
};

/** One metric with its samples; `common` are labels that all of them have. */
export function exposition(
  { name, help, type, samples }: Registered,
  { common, format }: { common: string; format: Format },
): string {
  const lines = samples().map(({ suffix, labels, value, exemplar }) => {
    const all = labels === '' ? common : `${common},${labels}`;
    const behind = format === 'openmetrics' && exemplar ? ` # ${exemplar}` : '';
    return `${name}${suffix}{${all}} ${value}${behind}\n`;
  });
  // In OpenMetrics a counter's name is without the suffix that its sample has.
  const family = format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
  const words = help.replace(/[\\\n"]/g, ' ');
  return `# HELP ${family} ${words}\n# TYPE ${family} ${type}\n${lines.join('')}`;
}
