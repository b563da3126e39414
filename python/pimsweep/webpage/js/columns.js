// Columns as the package packs them (pack.py).

const ARRAYS = {u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array};

/** The bytes of deflated base64 text. */
async function inflated(text) {
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; ++i) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** An array whose first bytes come before all second ones. */
async function unpacked(text, type) {
  const planes = await inflated(text);
  const size = Number(type[1]);
  if (size === 1) return planes;
  const count = planes.length / size;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < size; ++plane) {
    for (let i = 0, from = plane * count; i < count; ++i) bytes[i * size + plane] = planes[from + i];
  }
  return new ARRAYS[type](bytes.buffer);
}

class Column {
  constructor(about, rows, array) {
    Object.assign(this, {name: about.name, role: about.role, unit: about.unit, doc: about.doc, rows});
    if ("reals" in about) {
      this.numbers = array;
    } else {
      this.values = "value" in about ? [about.value] : about.values;
      this.codes = array ?? new Uint8Array(rows);
    }
    this.isConstant = "value" in about;
    this.isText = !!this.values && this.values.some(value => typeof value === "string");
  }

  static async load(about, rows) {
    const text = about.codes ?? about.reals;
    return new Column(about, rows, text === undefined ? undefined : await unpacked(text, about.type));
  }

  /** Every value as a number, NaN where there is none; of texts their place in the alphabet. */
  get numeric() {
    if (!this.held) {
      if (!this.values) return this.numbers;
      const keys = this.isText ? this.alphabet() : this.values.map(value => value === null ? NaN : Number(value));
      this.held = Float64Array.from(this.codes, code => keys[code]);
    }
    return this.held;
  }

  alphabet() {
    const order = [...this.values.keys()].sort((a, b) => this.values[a] < this.values[b] ? -1 : 1);
    const places = new Array(order.length);
    order.forEach((code, place) => places[code] = place);
    return places;
  }

  at(row) {
    const value = this.values ? this.values[this.codes[row]] : this.numbers[row];
    return value === null ? NaN : value;
  }

  text(row) { return this.show(this.at(row)); }

  show(value) { return typeof value === "string" ? value : quantity(Number(value), this.unit); }

  /** Its different values in order, if there are at most so many. */
  different(most) {
    if (!this.values || this.values.length > most) return undefined;
    const order = this.isText ? this.alphabet() : this.values;
    return [...this.values.keys()].sort((a, b) => order[a] - order[b]).map(code => this.values[code]);
  }

  /** The smallest and the largest of its numbers in some rows. */
  range(rows) {
    const numbers = this.numeric;
    let low = Infinity, high = -Infinity;
    for (const row of rows) {
      const value = numbers[row];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low, high];
  }

  /** All rows by its values; those without a number last. */
  get order() {
    this.sorted ??= sortedRows(this.numeric);
    return this.sorted;
  }
}

/** The rows by their numbers: a radix sort, which takes some milliseconds for 100,000 of them. */
function sortedRows(numbers) {
  const count = numbers.length;
  const keys = new Uint32Array(Float64Array.from(numbers, value => value === 0 ? 0 : value).buffer);
  for (let i = 0; i < count; ++i) {
    // Bits of positive numbers are in order from 2^63 on, those of negative ones in reverse below it.
    const sign = keys[2 * i + 1] >>> 31;
    if (Number.isNaN(numbers[i])) keys[2 * i + 1] = keys[2 * i] = 0xffffffff;
    else if (sign) { keys[2 * i + 1] = ~keys[2 * i + 1]; keys[2 * i] = ~keys[2 * i]; }
    else keys[2 * i + 1] ^= 0x80000000;
  }
  let rows = Uint32Array.from({length: count}, (_, i) => i), next = new Uint32Array(count);
  const halves = new Uint16Array(keys.buffer);
  for (let digit = 0; digit < 4; ++digit) {
    const starts = new Uint32Array(65537);
    for (let i = 0; i < count; ++i) ++starts[halves[4 * i + digit] + 1];
    for (let i = 0; i < 65536; ++i) starts[i + 1] += starts[i];
    for (const row of rows) next[starts[halves[4 * row + digit]]++] = row;
    [rows, next] = [next, rows];
  }
  return rows;
}
