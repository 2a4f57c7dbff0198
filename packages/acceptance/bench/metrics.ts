/** Reads the samples of one metric in Prometheus' text format. */
export function readMetric(text: string, name: string): number[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([A-Za-z_:][\w:]*)(?:\{.*\})? (\S+)/.exec(line);
    return match?.[1] === name ? [Number(match[2])] : [];
  });
}

/** Sums a metric's samples at a service's `/metrics`. */
export async function fetchMetric(url: string, name: string): Promise<number> {
  const samples = readMetric(await (await fetch(url)).text(), name);
  if (samples.length === 0) throw new Error(`there is no ${name} at ${url}`);
  return samples.reduce((sum, value) => sum + value, 0);
}
