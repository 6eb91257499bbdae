/** A queue for one resource: `enter` waits for the lock and returns the function that releases it. */
export class Mutex {
  #last: Promise<void> = Promise.resolve()

  async enter(): Promise<() => void> {
    const before = this.#last
    let leave!: () => void
    this.#last = new Promise(resolve => (leave = resolve))
    await before
    return leave
  }
}
