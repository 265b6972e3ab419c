export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Series {
  /** Needed where there are several. */
  readonly name?: string;
  readonly points: readonly Point[];
}

export interface Plot {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  readonly series: readonly Series[];
  /** Moments to mark, such as kills. */
  readonly marks?: readonly { readonly x: number }[];
  readonly marksName?: string;
  /** Show each point with its value, as for a handful of measurements. */
  readonly dots?: boolean;
}

const COLOURS = ['#1d4ed8', '#0f766e', '#7c3aed'];
const WIDTH = 760;
const HEIGHT = 300;
const LEFT = 64;
const BOTTOM = 48;
const TOP = 40;
const RIGHT = 16;

/** A line over time as an SVG that stands alone and can be read on a light or a dark page. */
export function plotOf({ title, xName, yName, series, marks = [], marksName, dots = false }: Plot): string {
  const points = series.flatMap((one) => one.points);
  const xMost = Math.max(1, ...points.map(({ x }) => x), ...marks.map(({ x }) => x));
  // Values above dots need room.
  const highest = Math.max(1, ...points.map(({ y }) => y)) * (dots ? 1.15 : 1);
  const yStep = niceStep(highest / 4);
  const yMost = yStep * Math.ceil(highest / yStep);
  const xStep = niceStep(xMost / 8);
  const px = (x: number) => round(LEFT + (x / xMost) * (WIDTH - LEFT - RIGHT));
  const py = (y: number) => round(HEIGHT - BOTTOM - (y / yMost) * (HEIGHT - BOTTOM - TOP));
  const right = WIDTH - RIGHT;
  const ground = HEIGHT - BOTTOM;
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="24" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
  ];
  for (let y = 0; y <= yMost + yStep / 2; y += yStep) {
    parts.push(`<path d="M${LEFT} ${py(y)}H${right}" stroke="#e3e6ea"/>`);
    parts.push(`<text x="${LEFT - 8}" y="${py(y) + 4}" text-anchor="end">${label(y)}</text>`);
  }
  for (let x = 0; x <= xMost + xStep / 2; x += xStep) {
    if (px(x) > right + 1) break;
    parts.push(`<text x="${px(x)}" y="${ground + 18}" text-anchor="middle">${label(x)}</text>`);
  }
  for (const { x } of marks) {
    parts.push(
      `<path d="M${px(x)} ${TOP}V${ground}" stroke="#c2410c" stroke-dasharray="2 3" opacity="0.8"/>`,
    );
  }
  for (const [index, { name, points: own }] of series.entries()) {
    const colour = COLOURS[index % COLOURS.length];
    const line = own.map(({ x, y }) => `${px(x)},${py(y)}`).join(' ');
    parts.push(
      `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"/>`,
    );
    for (const { x, y } of dots ? own : []) {
      parts.push(`<circle cx="${px(x)}" cy="${py(y)}" r="4" fill="${colour}"/>`);
      parts.push(`<text x="${px(x)}" y="${py(y) - 9}" text-anchor="middle">${Math.round(y)}</text>`);
    }
    if (name !== undefined) {
      const y = ground - 12 - 16 * index;
      parts.push(`<text x="${right}" y="${y}" text-anchor="end" fill="${colour}">${escapeXml(name)}</text>`);
    }
  }
  parts.push(
    `<text x="${(LEFT + right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escapeXml(xName)}</text>`,
  );
  parts.push(
    `<text transform="translate(16 ${(TOP + ground) / 2}) rotate(-90)" text-anchor="middle">${escapeXml(yName)}</text>`,
  );
  if (marksName !== undefined && marks.length > 0) {
    parts.push(`<path d="M${right - 190} 20h24" stroke="#c2410c" stroke-dasharray="2 3"/>`);
    parts.push(`<text x="${right - 160}" y="24">${escapeXml(marksName)}</text>`);
  }
  const style = 'font-family="system-ui, sans-serif" font-size="12" fill="#24292f"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeXml(title)}" ${style}>\n${parts.join('\n')}\n</svg>\n`;
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least) ?? 10;
  return factor * power;
}

const round = (value: number): number => Math.round(value * 10) / 10;
const label = (value: number): string => String(round(value));
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
