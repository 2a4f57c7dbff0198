import type { StackInfo } from '../stack/stack-info.ts';
import type { Output } from '../terminal/style.ts';

/** Warns if this machine does not let intake isolate the processes that decode applicants' files. */
export async function warnOfFileIsolation(
  output: Output,
  { metrics }: Pick<StackInfo, 'metrics'>,
): Promise<void> {
  const text = await fetch(metrics.intake).then(
    (answer) => answer.text(),
    () => '',
  );
  if (!/^rubrica_file_checker_isolated(\{[^}]*\})? 0$/m.test(text)) return;
  output.line(
    `\n  ${output.bad('Files are checked without network isolation')}  ${output.dim('install bubblewrap, or allow user namespaces')}`,
  );
}
