import type { NamedStatement, SweeperTask } from '@rubrica/database';

/** A statement as a task of the sweeper. @param params are taken anew at each run, such as the present moment */
export function sweeperTask<Params extends object>(
  sweep: NamedStatement<Params, unknown>,
  options: { readonly batchRows: number; readonly emits?: boolean; readonly params: () => Params },
): SweeperTask {
  const { params, ...rest } = options;
  return {
    ...rest,
    name: sweep.name,
    text: sweep.text,
    get params() {
      return sweep.bind(params()).params;
    },
  };
}
