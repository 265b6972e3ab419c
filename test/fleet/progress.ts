const WIDTH = 32;

/** A bar in a terminal, redrawn in place; elsewhere a line every few seconds. */
export function progressBar(stream: NodeJS.WriteStream = process.stdout, interval = 5000) {
  let last = 0;
  return {
    show(done: number, all: number, note: string): void {
      const share = all === 0 ? 1 : Math.min(1, done / all);
      const full = Math.round(share * WIDTH);
      const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
      const line = `${bar} ${String(Math.floor(share * 100)).padStart(3)} % ${done}/${all} ${note}`;
      if (stream.isTTY) stream.write(`\r\u001b[2K${line}`);
      else if (Date.now() - last >= interval) {
        last = Date.now();
        stream.write(`${line}\n`);
      }
    },
    end(): void {
      if (stream.isTTY) stream.write('\n');
    },
  };
}
