const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** A Markdown table: texts in the first column, numbers in the others. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(head), row(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');
