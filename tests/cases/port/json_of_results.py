import json
import statistics

results = json.loads('{"cuda": [0.3, 0.4], "cpu": [4.0, 4.2], "device": "cuda:0"}')
for name, values in results.items():
    if isinstance(values, list):
        print(name, statistics.mean(values), name == "cuda", results["device"] == "cuda:0")
