"""The seam for everything that is spread out: independent tasks, whoever carries them out, into a store to go on from.

    spread     tasks to results, in order                              spread.py
    Store      a file of results that a run goes on from               store.py
    Pool       processes of this machine; one that dies is replaced    pool.py
    Parcel     what other processes need, with the user's own code     parcel.py
    Cluster    a Dask cluster, by TLS or on this machine only          cluster.py
    start      a cluster of one's own; its key                         hosting.py, keys.py

A task is plain data. What carries it out is made once in every process from a `Setting`, and gives plain data back.
"""
